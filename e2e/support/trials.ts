/**
 * Whether this is `npm run trials`, which also takes what a run of all tests has no time for: more kills, other widths and
 * themes, what a shorter test shows in another room.
 */
export const isTrial = process.env.CLEW_TRIALS !== undefined
