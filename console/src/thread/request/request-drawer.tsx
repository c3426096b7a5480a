import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { requestQuery } from '../queries.ts'

// A screen does not wait for what is opened in it.
const RequestView = lazy(async () => ({ default: (await import('./request-view.tsx')).RequestView }))

interface RequestDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  readonly onClose: () => void
}

/** A request opened in place; its title leads to its page. */
export function RequestDrawer({ id, onClose }: RequestDrawerProps) {
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={
        id && (
          <Link to="/requests/$id" params={{ id }} className="hover:underline">
            Request <span className="mono font-normal text-ink-2">{id.slice(-12)}</span>
          </Link>
        )
      }
    >
      {id && <OpenRequest id={id} />}
    </Drawer>
  )
}

function OpenRequest({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(requestQuery(id))
  if (data)
    return (
      <Suspense fallback={<SkeletonRows />}>
        <RequestView detail={data} />
      </Suspense>
    )
  return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
}
