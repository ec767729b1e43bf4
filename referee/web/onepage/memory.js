// What this browser keeps between visits, if it is allowed to.

const named = (name) => `referee page ${name}`;

export const recall = (name) => {
  try {
    return JSON.parse(localStorage.getItem(named(name)));
  } catch {
    return null;
  }
};

/** Keeps a value; false if the browser does not. */
export const remember = (name, value) => {
  try {
    localStorage.setItem(named(name), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};
