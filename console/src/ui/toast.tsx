import { Toast as Base } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClasses } from './button.tsx'

/** Says something for a moment: `useToast().add({ title, description })`; an `actionProps` is an Undo. */
export const useToast = Base.useToastManager

/** Holds the toasts of everything inside it. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Base.Provider timeout={4000}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-60 flex w-[min(360px,calc(100vw-32px))] flex-col gap-2">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function Toasts() {
  const { toasts } = useToast()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="flex items-center gap-2 rounded-float bg-surface py-2 pr-2 pl-3 shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <div className="min-w-0 flex-1">
        <Base.Title className="font-medium" />
        <Base.Description className="text-ink-2" />
      </div>
      <Base.Action className={buttonClasses('plain', 'small')} />
      <Base.Close aria-label="Dismiss" className={buttonClasses('bare', 'icon')}>
        <X aria-hidden="true" className="size-3.5" />
      </Base.Close>
    </Base.Root>
  ))
}
