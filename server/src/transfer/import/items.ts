import type { Readable } from 'node:stream'

/** Rows of one table, in the text format of COPY. */
export interface TableRows {
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
  /** Called once; its stream is read to the end before the next item is asked for. */
  readonly open: () => Readable
}

/** A piece of what is imported, in the order in which it is applied. */
export type ImportItem =
  /** `isDumped` where it follows others of a dump, whose comments tell what they make. */
  | { readonly kind: 'statement'; readonly text: string; readonly isDumped: boolean }
  | ({ readonly kind: 'rows' } & TableRows)
  /** A call with values, such as one that makes a secret; `key` tells it from others. */
  | {
      readonly kind: 'call'
      readonly key: string
      readonly what: string
      readonly text: string
      readonly values: readonly unknown[]
    }
  /** A line for the report. */
  | { readonly kind: 'note'; readonly text: string }
