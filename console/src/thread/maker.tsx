import { Link } from '@tanstack/react-router'

/** What a request was made for, with a link to it: another request, the run of a job, a message of a queue. */
export function Maker({ causeId }: { readonly causeId: string }) {
  const [, jobId, runId] = /^job:(\d+):(\d+):\d+$/.exec(causeId) ?? []
  if (jobId !== undefined)
    return (
      <Link to="/jobs/$jobId" params={{ jobId }} search={{ run: Number(runId) }} className="hover:underline">
        run {runId} of job {jobId}
      </Link>
    )
  const [, queue, message] = /^message:(.+):(\d+):\d+$/.exec(causeId) ?? []
  if (queue !== undefined)
    return (
      <Link
        to="/queues/$name"
        params={{ name: queue }}
        search={{ state: 'archived', open: Number(message) }}
        className="hover:underline"
      >
        message {message} of queue {queue}
      </Link>
    )
  return (
    <Link to="/requests/$id" params={{ id: causeId }} className="hover:underline">
      another request, by a function or as a webhook
    </Link>
  )
}
