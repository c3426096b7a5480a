/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null)

/** A text that says something, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
