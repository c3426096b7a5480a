import { readText } from '../../lib/read-search.ts'

const tabs = ['tables', 'functions', 'enums', 'domains', 'extensions', 'roles', 'publications'] as const

/** What the schema is made of. */
export type SchemaTab = (typeof tabs)[number]

/** What a link to the schema shows. */
export interface SchemaSearch {
  readonly tab?: SchemaTab
  readonly q?: string
  /** What is open beside the list. */
  readonly open?: string
}

/** Reads a link; what it does not understand it leaves out. */
export function readSchemaSearch(search: Readonly<Record<string, unknown>>): SchemaSearch {
  const tab = tabs.find((one) => one === search.tab)
  return { ...readText(search, 'q', 'open'), ...(tab === undefined || tab === 'tables' ? {} : { tab }) }
}
