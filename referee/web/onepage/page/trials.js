// What the composer of moves asks the referee.

/** The trial of a move and the judgement of a text, on the board that `position()` names. */
export const trialsOf = (ask, position) => ({
  preview: async (move) => (await ask("try", { ...position(), move })).board,
  judge: async (text) => {
    const { file, plies, side } = position();
    return ask("read", { file, plies, side, text });
  },
});
