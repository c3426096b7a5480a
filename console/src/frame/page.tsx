import { Link, type LinkProps } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { createContext, Fragment, type ReactNode, use } from 'react'
import { showKeys } from '../lib/keyboard.ts'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'

/** One step of the way to a page. */
export interface Crumb {
  readonly label: string
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>
}

/** The actions of the frame around a page. */
export interface FrameActions {
  readonly openSearch: () => void
  readonly openRail: () => void
}

/** The actions where no frame is. */
export const unframed: FrameActions = { openSearch: () => undefined, openRail: () => undefined }

/** The frame of the running console. */
export const FrameContext = createContext<FrameActions>(unframed)

interface PageProps {
  readonly title: ReactNode
  readonly crumbs?: readonly Crumb[]
  /** Short facts beside the title. */
  readonly facts?: ReactNode
  /** The page's own actions, at the right. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A screen's place in the frame: the top bar with the way here and what can be done, the screen below. */
export function Page({ title, crumbs = [], facts, actions, children }: PageProps) {
  const { openSearch, openRail } = use(FrameContext)
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col">
      <header className="flex h-11 shrink-0 items-center gap-3 border-line border-b px-4 max-sheet:gap-2 max-sheet:px-2">
        <Button look="bare" size="icon" aria-label="Menu" className="sheet:hidden" onClick={openRail}>
          <MenuIcon aria-hidden="true" className="size-4" />
        </Button>
        <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1.5 whitespace-nowrap">
          {crumbs.map((crumb) => (
            <Fragment key={crumb.label}>
              <Link {...crumb.link} className="shrink-0 text-ink-2 hover:text-ink max-narrow:hidden">
                {crumb.label}
              </Link>
              <span aria-hidden="true" className="text-ink-3 max-narrow:hidden">
                /
              </span>
            </Fragment>
          ))}
          <h1 className="truncate font-semibold">{title}</h1>
        </nav>
        {facts && (
          <div className="flex min-w-0 shrink-999 items-center gap-3.5 overflow-hidden whitespace-nowrap text-ink-2 max-sheet:hidden">
            {facts}
          </div>
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1.5">
          <Button look="bare" onClick={openSearch}>
            <Search aria-hidden="true" className="size-3.5 sheet:hidden" />
            <span className="max-sheet:sr-only">Search</span>
            <span aria-hidden="true" className="max-sheet:hidden">
              <Kbd>{showKeys('mod+k')}</Kbd>
            </span>
          </Button>
          {actions}
        </div>
      </header>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</main>
    </div>
  )
}
