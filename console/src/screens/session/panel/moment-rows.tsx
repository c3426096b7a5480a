import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef } from 'react'
import type { Playback } from '../../../player/playback.ts'
import { classes } from '../../../ui/classes.ts'
import { formatOffset } from '../../../ui/time-text.ts'
import { useCurrent } from '../moments/current.ts'
import type { Timed } from '../moments/moments.ts'

interface MomentRowsProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly playback: Playback
  readonly idOf: (item: Item) => string
  readonly atOf: (item: Item) => number
  readonly draw: (item: Item) => ReactNode
  /** What opens in place below an item's line, where there is something. */
  readonly detail?: (item: Item) => ReactNode
  readonly onSelect: (item: Item) => void
  /** Shown when there are no items. */
  readonly none: string
}

/** A plain list on the session's time: console lines, calls, events. The one that stands now is marked. */
export function MomentRows<Item>({
  label,
  items,
  playback,
  idOf,
  atOf,
  draw,
  detail,
  onSelect,
  none,
}: MomentRowsProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    overscan: 12,
    paddingStart: 8,
    paddingEnd: 8,
    initialRect: { width: 432, height: 640 },
  })
  const times = useMemo(
    () => items.map((item): Timed => ({ id: idOf(item), atMs: atOf(item), kind: 'event' })),
    [items, idOf, atOf],
  )
  const now = useCurrent(playback, times, undefined)
  if (items.length === 0) return <p className="p-4 text-ink-2">{none}</p>
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto">
      <ol aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <li
              key={idOf(item)}
              ref={virtual.measureElement}
              data-index={index}
              className={classes('absolute inset-x-0 top-0', index === now && 'bg-thread-wash/70')}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                onClick={() => onSelect(item)}
                className="grid min-h-7 w-full grid-cols-[var(--time)_minmax(0,1fr)] items-baseline gap-x-4 px-4 py-1 text-left focus-visible:-outline-offset-2 hover:bg-sunken"
              >
                <span
                  className={classes('mono tabular text-right', index === now ? 'font-medium text-ink' : 'text-ink-2')}
                >
                  {formatOffset(atOf(item), { tenths: true })}
                </span>
                {draw(item)}
              </button>
              {detail && <div className="pr-4 pl-[calc(var(--time)+32px)]">{detail(item)}</div>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
