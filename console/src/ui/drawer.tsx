import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { buttonClasses } from './button.tsx'

interface DrawerProps {
  readonly open: boolean
  readonly onClose: () => void
  /** What is open, which also names the drawer; a link to its full page where it has one. */
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Opens an item in place, at the right, over a page that stays usable: one deep. Esc closes it. */
export function Drawer({ open, onClose, title, actions, children }: DrawerProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false} disablePointerDismissal>
      <Base.Portal>
        <Base.Popup
          ref={popup}
          initialFocus={popup}
          className="fixed inset-y-0 right-0 z-30 flex w-[min(560px,100vw)] flex-col border-line bg-surface shadow-float outline-none transition-[translate,opacity] data-ending-style:translate-x-4 data-starting-style:translate-x-4 data-ending-style:opacity-0 data-starting-style:opacity-0 sheet:border-l"
        >
          <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b pr-2 pl-4">
            <Base.Title className="min-w-0 flex-1 truncate font-semibold">{title}</Base.Title>
            {actions}
            <Base.Close aria-label="Close" className={buttonClasses('bare', 'icon')}>
              <X aria-hidden="true" className="size-4" />
            </Base.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
