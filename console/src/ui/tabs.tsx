import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'
import { classes } from './classes.ts'

/** One tab with its panel. */
export interface Tab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly count?: number | undefined
  readonly panel: ReactNode
  /** The panel stays while another is open: what is typed in it is not lost. */
  readonly isKept?: boolean
}

/** Of the tab behind the open one a little is seen. */
const tabGap = 18

interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly value: Name
  readonly onChange: (name: Name) => void
  readonly className?: string
}

/** Several panels in one place; which one is open belongs to the caller (and so to the URL). */
export function Tabs<Name extends string>({ label, tabs, value, onChange, className }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: which tab is open is read from the list itself
  useEffect(() => showOpenTab(list.current), [value])
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.name === next)
        if (chosen) onChange(chosen.name)
      }}
      className={classes('flex min-h-0 flex-col', className)}
    >
      <Base.List
        ref={list}
        aria-label={label}
        // The line is a shadow: an open tab's own lies over it, and nothing overflows the bar.
        className="scrollbar-none flex h-10 shrink-0 items-stretch gap-4.5 overflow-x-auto px-4 shadow-[inset_0_-1px_0_var(--line)]"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.name}
            value={tab.name}
            className="flex items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 text-ink-2 focus-visible:-outline-offset-2 hover:text-ink data-active:border-thread data-active:font-medium data-active:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && <span className="tabular font-normal text-ink-2">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel
          key={tab.name}
          value={tab.name}
          keepMounted={tab.isKept ?? false}
          className="flex min-h-0 flex-1 flex-col outline-none"
        >
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

/** Where not all tabs fit, the one that is open is seen. */
function showOpenTab(list: HTMLElement | null): void {
  const open = list?.querySelector<HTMLElement>('[aria-selected="true"]')
  if (!list || !open) return
  const [left, right] = [open.offsetLeft, open.offsetLeft + open.offsetWidth]
  if (left < list.scrollLeft || right > list.scrollLeft + list.clientWidth)
    list.scrollLeft = right - list.clientWidth + tabGap
}
