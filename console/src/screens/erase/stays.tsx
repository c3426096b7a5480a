import type { ErasurePreview } from '../../lib/api/schemas.ts'
import { Time } from '../../ui/time.tsx'

/** What an erasure does not reach: backups, what left the instance, pictures. */
export function Stays({ backups: { count, until } }: Pick<ErasurePreview, 'backups'>) {
  return (
    <>
      {count === 0 ? (
        'No backup holds them. '
      ) : (
        <>
          {count === 1 ? 'One backup holds them' : `${count} backups hold them`}
          {until !== null && (
            <>
              {' '}
              until <Time at={until} look="clock" /> at the latest
            </>
          )}
          .{' '}
        </>
      )}
      What left this instance is not reached: mails, webhooks, exports in a bucket. Neither are pictures and compressed
      parts in recordings of others. Tokens that were given out are good until they expire.
    </>
  )
}
