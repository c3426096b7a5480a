/**
 * A parameter of a statement template. Requests that differ only in such values have one plan and one statement; the
 * value of each request is bound when the statement is run.
 */
export interface TemplateParameter {
  readonly kind: 'template_parameter'
  /** The index of its value in {@link Bindings}, or the body. */
  readonly of: number | 'body'
  /** How the value is written for the statement. */
  readonly as: 'text' | 'pattern' | 'list' | 'bytes'
}

/** A value as sent, or a parameter for one. Either is sent beside a statement, never as a part of its text. */
export type Text = string | TemplateParameter

/** The values of one request for the parameters of its template. */
export interface Bindings {
  readonly values: readonly string[]
  readonly body: string
}

/** The parameter for the body. */
export const bodyParameter: TemplateParameter = { kind: 'template_parameter', of: 'body', as: 'text' }

export const isTemplateParameter = (value: unknown): value is TemplateParameter =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'template_parameter'
