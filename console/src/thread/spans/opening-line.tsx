import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** The line of a `details` in the group `group` that is always shown: it opens what stands below. */
export const OpeningLine = ({ children }: { readonly children: ReactNode }) => (
  <summary className="grid cursor-pointer list-none grid-cols-[14px_minmax(0,1fr)] items-start gap-x-1.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
    <ChevronRight aria-hidden="true" className="mt-1.75 size-3.5 text-ink-2 group-open:rotate-90" />
    {children}
  </summary>
)
