import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'

/** Stands in place of the session screen while it loads. */
export function SessionPending() {
  return (
    <div role="status" aria-label="Loading the session" className="flex h-full min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-3 border-line border-b px-4">
        <Skeleton className="h-3 w-44" />
        <Skeleton className="h-3 w-64 max-sheet:hidden" />
      </div>
      <div className="grid min-h-0 flex-1 wide:grid-cols-[minmax(0,1fr)_minmax(380px,432px)] max-wide:grid-rows-[auto_minmax(0,1fr)]">
        <div className="grid min-h-0 grid-rows-[minmax(0,1fr)_auto] wide:border-line wide:border-r">
          <div className="grid place-items-center bg-sunken p-6 max-wide:h-[38vh]">
            <Skeleton className="aspect-[16/10] max-h-full w-full max-w-[760px] rounded-float" />
          </div>
          <div className="grid h-[220px] content-start gap-3 border-line border-t bg-surface px-4 pt-3">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="mt-4 h-2.5 w-full" />
            <Skeleton className="h-2.5 w-4/5" />
            <Skeleton className="h-2.5 w-full" />
          </div>
        </div>
        <div className="min-h-0 overflow-hidden bg-surface pt-10">
          <SkeletonRows rows={16} />
        </div>
      </div>
    </div>
  )
}
