// The player's choices and typed text so far, kept in this tab; without a key, only as long as the page.

const NOTHING = { ids: [], typed: "" };

export const draftOf = (key) => {
  const name = `referee draft ${key}`;
  let latest = NOTHING;
  // A browser may forbid to keep anything; then a draft lives as long as the page.
  const quietly = (act) => {
    try {
      return key ? act() : null;
    } catch {
      return null;
    }
  };
  return {
    read: () => quietly(() => JSON.parse(sessionStorage.getItem(name))) ?? latest,
    write(draft) {
      latest = draft;
      quietly(() => sessionStorage.setItem(name, JSON.stringify(draft)));
    },
    clear() {
      latest = NOTHING;
      quietly(() => sessionStorage.removeItem(name));
    },
  };
};
