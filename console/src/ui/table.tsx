import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { classes } from './classes.ts'
import { useListKeys } from './list-keys.ts'
import { useScrollAnchor } from './scroll-anchor.ts'

/** One column; without a width it takes what is left. */
export interface TableColumn<Item> {
  readonly id: string
  readonly title: ReactNode
  readonly cell: (item: Item) => ReactNode
  readonly width?: number
  readonly align?: 'left' | 'right'
  /** From which width of the screen it is shown; always when absent. */
  readonly from?: 'narrow' | 'sheet' | 'wide' | 'full'
  readonly sorted?: 'ascending' | 'descending' | undefined
}

export interface TableProps<Item> {
  readonly label: string
  readonly columns: readonly TableColumn<Item>[]
  readonly rows: readonly Item[]
  readonly rowKey: (item: Item) => string
  /** Opens a row: a click anywhere on it, or Enter on the selected one. */
  readonly onOpen?: (item: Item) => void
  /** The row whose item is open. */
  readonly openKey?: string | undefined
  /** Called when the last rows come into sight. */
  readonly onEnd?: (() => void) | undefined
  /** Wide tables scroll sideways inside themselves. */
  readonly minWidth?: number
  readonly footer?: ReactNode
  readonly className?: string
}

const rowPx = 32
const shownFrom = {
  narrow: 'max-narrow:hidden',
  sheet: 'max-sheet:hidden',
  wide: 'max-wide:hidden',
  full: 'max-full:hidden',
}

/** A dense table of any length: only the rows in sight are drawn, and rows that arrive above do not move what is read. */
export function Table<Item>(props: TableProps<Item>) {
  const { label, columns, rows, rowKey, onOpen, openKey, onEnd, minWidth, footer, className } = props
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingStart: rowPx,
    initialRect: { width: 1000, height: 640 },
    onChange: (instance) => {
      const last = instance.range?.endIndex ?? 0
      if (onEnd && rows.length > 0 && last >= rows.length - 10) onEnd()
    },
  })
  useScrollAnchor(box, rows, rowKey, rowPx)
  const { selectedKey, open } = useSelectedRow(props, (index) => virtual.scrollToIndex(index))
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div
      ref={box}
      data-list=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className={classes(
        'min-h-0 flex-1 overflow-auto [overflow-anchor:none] focus-visible:-outline-offset-2',
        className,
      )}
    >
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed border-separate border-spacing-0"
        style={{ minWidth }}
      >
        <Head columns={columns} />
        <tbody>
          {above > 0 && <Spacer px={above} />}
          {items.map(({ index }) => {
            const item = rows[index]
            if (item === undefined) return null
            const key = rowKey(item)
            return (
              <Row
                key={key}
                item={item}
                number={index + 2}
                columns={columns}
                isSelected={key === selectedKey}
                isOpen={key === openKey}
                onOpen={onOpen && open}
              />
            )
          })}
          {below > 0 && <Spacer px={below} />}
        </tbody>
      </table>
      {footer}
    </div>
  )
}

/** The selected row, moved by the keyboard; the open one until another is selected. */
function useSelectedRow<Item>(
  { rows, rowKey, onOpen, openKey }: TableProps<Item>,
  scrollTo: (index: number) => void,
): { readonly selectedKey: string | undefined; readonly open: (item: Item) => void } {
  const [chosenKey, setChosenKey] = useState<string>()
  const selectedKey = chosenKey ?? openKey
  useListKeys({
    count: rows.length,
    selected: selectedKey === undefined ? -1 : rows.findIndex((item) => rowKey(item) === selectedKey),
    onSelect: (index) => {
      const item = rows[index]
      if (item === undefined) return
      setChosenKey(rowKey(item))
      scrollTo(index)
      // With an item open beside the list, moving opens the next one.
      if (openKey !== undefined) onOpen?.(item)
    },
    onOpen: (index) => {
      const item = rows[index]
      if (item !== undefined) onOpen?.(item)
    },
  })
  const open = (item: Item) => {
    setChosenKey(rowKey(item))
    onOpen?.(item)
  }
  return { selectedKey, open }
}

function Head<Item>({ columns }: { readonly columns: readonly TableColumn<Item>[] }) {
  return (
    <thead className="sticky top-0 z-10 bg-paper">
      <tr aria-rowindex={1}>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={column.sorted}
            style={{ width: column.width }}
            className={classes(
              'h-8 truncate border-line border-b px-2 font-medium text-ink-2 text-sm first:pl-4 last:pr-4',
              column.align === 'right' ? 'text-right' : 'text-left',
              column.from && shownFrom[column.from],
            )}
          >
            {column.title}
            {column.sorted && <SortArrow sorted={column.sorted} />}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function SortArrow({ sorted }: { readonly sorted: 'ascending' | 'descending' }) {
  const Arrow = sorted === 'ascending' ? ArrowUp : ArrowDown
  return <Arrow aria-hidden="true" className="ml-1 inline size-3" />
}

interface RowProps<Item> {
  readonly item: Item
  /** The row's place in the whole table, the head being 1. */
  readonly number: number
  readonly columns: readonly TableColumn<Item>[]
  readonly isSelected: boolean
  readonly isOpen: boolean
  readonly onOpen: ((item: Item) => void) | undefined
}

function Row<Item>({ item, number, columns, isSelected, isOpen, onOpen }: RowProps<Item>) {
  const click = ({ target, currentTarget }: MouseEvent) => {
    // React brings clicks in a cell's menu or dialog here, too, which lies elsewhere in the page.
    if (!(target instanceof Element && currentTarget.contains(target))) return
    // A link or button in a cell acts for itself; a drag that selected text is no click.
    if (target.closest('a, button')) return
    if (!window.getSelection()?.toString()) onOpen?.(item)
  }
  return (
    <tr
      aria-rowindex={number}
      aria-current={isSelected ? 'true' : undefined}
      onClick={click}
      className={classes(
        'group/row',
        onOpen && 'cursor-pointer',
        isOpen ? 'bg-thread-wash' : isSelected ? 'bg-sunken' : 'hover:bg-sunken',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={classes(
            'h-8 truncate border-line border-b px-2 first:pl-4 last:pr-4',
            column.align === 'right' && 'tabular text-right',
            column.from && shownFrom[column.from],
          )}
        >
          {column.cell(item)}
        </td>
      ))}
    </tr>
  )
}

/** Stands for the rows that are out of sight. */
function Spacer({ px }: { readonly px: number }) {
  return (
    <tr>
      <td style={{ height: px }} />
    </tr>
  )
}
