import { Link } from '@tanstack/react-router'

/** Why the page itself is not behind a map. */
export function NoPicture() {
  return (
    <p className="px-4 pt-2 text-ink-2">
      No recording shows this page at these widths: its outline stands in. Pages are drawn from{' '}
      <Link to="/sessions/settings" className="underline">
        recordings
      </Link>{' '}
      of visitors who used them.
    </p>
  )
}
