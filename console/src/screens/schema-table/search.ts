const tabs = ['columns', 'policies', 'test', 'grants', 'indexes', 'triggers', 'constraints'] as const

/** What is shown of a table. */
export type TableTab = (typeof tabs)[number]

/** What a link to a table's definition shows. */
export interface TableTabSearch {
  readonly tab?: TableTab
}

/** Reads a link; what it does not understand it leaves out. */
export function readTableTab(search: Readonly<Record<string, unknown>>): TableTabSearch {
  const tab = tabs.find((one) => one === search.tab)
  return tab === undefined || tab === 'columns' ? {} : { tab }
}
