import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { eventQuery } from '../queries.ts'
import { EventName } from './event-name.tsx'
import { EventView } from './event-view.tsx'

interface EventDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  readonly onClose: () => void
}

/** An event opened in place. */
export function EventDrawer({ id, onClose }: EventDrawerProps) {
  const { data, error, refetch } = useQuery({ ...eventQuery(id ?? ''), enabled: id !== undefined })
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={data ? <EventName event={data.event} /> : 'Event'}>
      {data ? (
        <EventView detail={data} />
      ) : error ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows rows={12} />
      )}
    </Drawer>
  )
}
