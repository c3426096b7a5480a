import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClasses } from './button.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** A question or a sheet over the page; focus stays inside and returns where it came from. */
export function Dialog({ open, onClose, title, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          data-modal=""
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 flex-col rounded-float bg-surface shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <div className="flex h-11 shrink-0 items-center justify-between border-line border-b pr-2 pl-4">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Close aria-label="Close" className={buttonClasses('bare', 'icon')}>
              <X aria-hidden="true" className="size-4" />
            </Base.Close>
          </div>
          <div className="min-h-0 overflow-y-auto p-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
