import { Link } from '@tanstack/react-router'
import { showKeys } from '../lib/keyboard.ts'
import { buttonClasses } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'

/** There is no screen at this address. */
export function Missing() {
  return (
    <Empty title="There is nothing at this address.">
      <p>The link may be outdated or mistyped. Press {showKeys('mod+k')} to search.</p>
      <p>
        <Link to="/" className={buttonClasses()}>
          Go home
        </Link>
      </p>
    </Empty>
  )
}
