import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx'

/** Stands in place of a screen while its data loads. */
export function Pending() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center border-line border-b px-4">
        <Skeleton className="h-3 w-28" />
      </div>
      <SkeletonRows />
    </div>
  )
}
