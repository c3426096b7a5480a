/** A pattern of LIKE that means the text itself: `%`, `_` and `\` are escaped. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
