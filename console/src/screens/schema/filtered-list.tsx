import { Fragment, type ReactNode } from 'react'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'

/** What every list of the schema is given. */
export interface ListProps {
  readonly filter: string
  /** The key of what is open beside the list. */
  readonly openKey: string | undefined
  readonly onOpen: (key: string | undefined) => void
}

interface FilteredListProps<Item> {
  readonly label: string
  readonly columns: readonly TableColumn<Item>[]
  /** Absent while they are on their way. */
  readonly items: readonly Item[] | undefined
  readonly filter: string
  /** What the filter is looked for in; it also tells items apart. */
  readonly nameOf: (item: Item) => string
  readonly onOpen?: (item: Item) => void
  readonly openKey?: string | undefined
  /** Said where there are none at all. */
  readonly empty: ReactNode
}

/** A list of what the schema is made of, narrowed by name. */
export function FilteredList<Item>(props: FilteredListProps<Item>) {
  const { label, columns, items, filter, nameOf, onOpen, openKey, empty } = props
  if (items === undefined) return <SkeletonRows />
  if (items.length === 0) return empty
  const wanted = filter.trim().toLowerCase()
  const shown = items.filter((item) => nameOf(item).toLowerCase().includes(wanted))
  if (shown.length === 0) return <Empty title={`Nothing matches “${filter}”.`} />
  return (
    <Table
      label={label}
      columns={columns}
      rows={shown}
      rowKey={nameOf}
      openKey={openKey}
      {...(onOpen === undefined ? {} : { onOpen })}
    />
  )
}

interface OpeningListProps<Item> extends Omit<FilteredListProps<Item>, 'onOpen' | 'openKey'>, ListProps {
  /** What opens beside the list. */
  readonly drawerOf: (item: Item, onClose: () => void) => ReactNode
}

/** A list whose items open beside it. */
export function OpeningList<Item>({ drawerOf, onOpen, ...list }: OpeningListProps<Item>) {
  const { items, nameOf, openKey } = list
  const opened = items?.find((item) => nameOf(item) === openKey)
  return (
    <>
      <FilteredList {...list} onOpen={(item) => onOpen(nameOf(item))} />
      {opened && <Fragment key={openKey}>{drawerOf(opened, () => onOpen(undefined))}</Fragment>}
    </>
  )
}

/** A name with its schema, which is quieter. */
export function QualifiedName({ schema, name }: { readonly schema: string; readonly name: string }) {
  return (
    <span className="mono">
      <span className="text-ink-2">{schema}.</span>
      {name}
    </span>
  )
}
