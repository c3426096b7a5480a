import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../ui/skeleton.tsx'

const SqlArea = lazy(async () => ({ default: (await import('../sql/sql-area.tsx')).SqlArea }))

interface SqlFieldProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A text of SQL in a form; the editor is loaded when the form opens. */
export function SqlField(props: SqlFieldProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <SqlArea {...props} />
    </Suspense>
  )
}
