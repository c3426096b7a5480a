/**
 * The place of a value that was taken out of a request. Requests that differ only in such values have one plan and one
 * statement; the value is put back among the statement's parameters.
 */
export interface TemplateParameter {
  readonly kind: 'slot'
  /** Which of the values taken out, or the body. */
  readonly of: number | 'body'
  /** What becomes of the value on its way to the parameter. */
  readonly as: 'text' | 'pattern' | 'list' | 'bytes'
}

/** A value as sent, or the place it was taken from. Either becomes a parameter, never a part of a statement's text. */
export type Text = string | TemplateParameter

/** The values that were taken out of one request. */
export interface Bindings {
  readonly values: readonly string[]
  readonly body: string
}

/** The body's place. */
export const bodyParameter: TemplateParameter = { kind: 'slot', of: 'body', as: 'text' }

/** Whether something is the place of a value, rather than a value. */
export const isTemplateParameter = (value: unknown): value is TemplateParameter =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'slot'
