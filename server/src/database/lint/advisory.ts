/** How much an advisory matters. */
export type AdvisoryLevel = 'info' | 'warn' | 'error'

/** Something to look for in a schema. Names, levels and reasons are those of Supabase's linter where it has them. */
export interface Advisory {
  readonly name: string
  readonly title: string
  readonly kind: 'security' | 'performance'
  readonly level: AdvisoryLevel
  /** What to do about it. */
  readonly remedy: string
  /** The objects, one a row: `object` is a text. `$1` are the schemas that the API shows. */
  readonly text: string
}
