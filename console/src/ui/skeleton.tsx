import { classes } from './classes.ts'

/** Holds the place of what is on its way. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-pulse rounded-small bg-line/60', className)} />
}

/** Holds the place of a table's rows. */
export function SkeletonRows({ rows = 12 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move
        <div key={index} className="flex h-8 items-center gap-6 border-line border-b px-4">
          <Skeleton className="h-2.5 w-16" />
          <Skeleton className={classes('h-2.5', ['w-2/5', 'w-1/3', 'w-1/2'][index % 3])} />
          <Skeleton className="ml-auto h-2.5 w-12" />
        </div>
      ))}
    </div>
  )
}
