/** The text of whatever was thrown: an error's message, anything else as a string. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
