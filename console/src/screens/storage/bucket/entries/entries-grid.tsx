import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { StorageEntry } from '../../../../lib/api/schemas.ts'
import { classes } from '../../../../ui/classes.ts'
import { SelectBox } from '../../../../ui/select-column.tsx'
import { thumbnailUrl } from '../queries.ts'
import { type EntriesProps, nameIn } from './entries.ts'
import { EntryIcon } from './entry-icon.tsx'
import { EntryMenu } from './entry-menu.tsx'

const rowPx = 188
const narrowestPx = 148

/** The entries of a folder with thumbnails of its images; only the rows in sight are drawn. */
export function EntriesGrid(props: EntriesProps) {
  const { entries, onEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(4)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setColumns(Math.max(1, Math.floor(element.clientWidth / narrowestPx)))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const rows = Math.ceil(entries.length / columns)
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 3,
    initialRect: { width: 1000, height: 640 },
    onChange: ({ range }) => {
      if ((range?.endIndex ?? 0) >= rows - 4) onEnd()
    },
  })
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto px-3 py-2.5 focus-visible:-outline-offset-2"
    >
      <ul aria-label="Objects" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().flatMap(({ index, start }) =>
          entries.slice(index * columns, (index + 1) * columns).map((entry, column) => (
            <li
              key={entry.key}
              className="absolute p-1.5"
              style={{ top: start, left: `${(100 * column) / columns}%`, width: `${100 / columns}%`, height: rowPx }}
            >
              <Card {...props} entry={entry} isPassing={virtual.isScrolling} />
            </li>
          )),
        )}
      </ul>
    </div>
  )
}

interface CardProps extends EntriesProps {
  readonly entry: StorageEntry
  /** Whether the grid is being scrolled. */
  readonly isPassing: boolean
}

function Card(props: CardProps) {
  const { bucketId, folder, entry, isPassing, openKey, selected, canChange, onOpen, onSelect } = props
  const name = nameIn(folder, entry)
  return (
    <article
      aria-label={name}
      className={classes(
        'relative grid h-full grid-rows-[1fr_auto] rounded-control border hover:bg-sunken',
        entry.key === openKey ? 'border-thread' : selected.has(entry.key) ? 'border-ink-3' : 'border-line',
      )}
    >
      <button
        type="button"
        aria-label={`Open ${name}`}
        aria-current={entry.key === openKey}
        onClick={() => onOpen(entry)}
        className="m-1.5 grid min-h-0 place-items-center overflow-hidden rounded-small bg-sunken"
      >
        <Thumbnail bucketId={bucketId} entry={entry} isPassing={isPassing} />
      </button>
      <div className="flex h-8 min-w-0 items-center gap-1.5 pr-0.5 pl-2">
        {canChange && <SelectBox id={entry.key} name={name} selected={selected} onSelect={onSelect} />}
        <span className="min-w-0 flex-1 truncate" title={entry.key}>
          {name}
        </span>
        <EntryMenu {...props} entry={entry} />
      </div>
    </article>
  )
}

type ThumbnailProps = Pick<CardProps, 'bucketId' | 'entry' | 'isPassing'>

/**
 * A small picture of an image. Where the server makes none (too large, damaged) an icon stands for it, as for other files
 * and for an image that came into sight while the grid is scrolled: hundreds of pictures may pass before it stands.
 */
function Thumbnail({ bucketId, entry, isPassing }: ThumbnailProps) {
  const { key, mimeType, updatedAt } = entry
  const [isMissing, setMissing] = useState(false)
  const [isAsked, setAsked] = useState(!isPassing)
  if (!isPassing && !isAsked) setAsked(true)
  if (isMissing || !isAsked || !mimeType?.startsWith('image/')) return <EntryIcon entry={entry} />
  return (
    <img
      src={thumbnailUrl(bucketId, key, { size: 'tile', v: updatedAt ?? '' })}
      alt=""
      loading="lazy"
      onError={() => setMissing(true)}
      className="size-full object-cover"
    />
  )
}
