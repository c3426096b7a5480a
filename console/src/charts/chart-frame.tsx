import { Ellipsis } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import type { ChartData, ChartLook, ChartShape } from './chart-data.ts'
import { ChartTable } from './chart-table.tsx'

// Home has a chart, and loads what is opened in it once it is opened.
const ChartMenu = lazy(async () => ({ default: (await import('./chart-menu.tsx')).ChartMenu }))

interface ChartFrameProps {
  /** What is drawn: the name of the figure, of its table and of its files. */
  readonly title: string
  readonly data: ChartData
  readonly shape: ChartShape
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  readonly className?: string
  /** What stands below the drawing: where its time begins and ends. */
  readonly foot?: ReactNode
  /** What stands below the drawing and the table. */
  readonly note?: ReactNode
  /** The table where there may be too many rows for one that has them all. */
  readonly table?: ReactNode
  readonly isSparse?: boolean
  readonly onRow?: (index: number) => void
  /** Draws the file where the drawing is no plot of the numbers. */
  readonly picture?: () => Promise<Blob>
  readonly rowHint?: string
  /** The drawing. */
  readonly children: ReactNode
}

/** What every chart of the console stands in: its drawing or its table, and the menu that saves either. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, data, look, className, foot, note, table, isSparse = false, onRow, rowHint, children } = props
  return (
    <figure aria-label={title} className={classes('grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1', className)}>
      {look === 'chart'
        ? children
        : (table ?? <ChartTable label={title} data={data} isSparse={isSparse} onRow={onRow} hint={rowHint} />)}
      <figcaption className="grid grid-cols-[minmax(0,1fr)_36px] items-center text-ink-2 text-xs">
        <span className="tabular flex min-w-0 flex-wrap justify-between gap-x-2">
          {look === 'chart' && foot}
          {note}
        </span>
        <MenuPlace {...props} />
      </figcaption>
    </figure>
  )
}

/** The menu's button, and from its first press on the menu. */
function MenuPlace({ title, data, shape, look, onLook, picture }: ChartFrameProps) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked)
    return <MenuButton title={title} aria-haspopup="menu" aria-expanded={false} onClick={() => setAsked(true)} />
  return (
    <Suspense fallback={<MenuButton title={title} aria-haspopup="menu" aria-expanded={false} />}>
      <ChartMenu trigger={<MenuButton title={title} />} {...{ title, data, shape, look, onLook, picture }} />
    </Suspense>
  )
}

function MenuButton({ title, ...rest }: ComponentProps<'button'>) {
  return (
    <Button
      look="bare"
      size="small"
      className="ml-auto"
      {...rest}
      aria-label={`Chart menu: ${title}`}
      title="Chart menu"
    >
      <Ellipsis aria-hidden="true" className="size-3.5" />
    </Button>
  )
}
