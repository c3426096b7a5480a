import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

interface TooltipProps {
  readonly content: ReactNode
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** The button or link it belongs to. */
  readonly children: ReactElement
}

/** A short explanation on hover and focus. It repeats or adds; it never holds what is needed. */
export function Tooltip({ content, side = 'top', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger delay={400} render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="max-w-72 rounded-control bg-surface px-2 py-1 text-ink text-sm shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
