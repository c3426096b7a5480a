import { Link } from '@tanstack/react-router'
import { use } from 'react'
import { showKeys } from '../lib/keyboard.ts'
import { buttonClasses } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { FrameContext, Page, unframed } from './page.tsx'

/** There is no screen at this address; within the frame with its bar, which has the menu of a narrow window. */
export function MissingScreen() {
  return use(FrameContext) === unframed ? (
    <Missing />
  ) : (
    <Page title="Not found">
      <Missing />
    </Page>
  )
}

function Missing() {
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
