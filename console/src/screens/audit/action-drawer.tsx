import type { OperatorAction } from '../../lib/api/schemas.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import { Outcome } from './outcome.tsx'

interface ActionDrawerProps {
  /** Nothing is open without it. */
  readonly action: OperatorAction | undefined
  readonly onClose: () => void
}

/** An entry of the audit log, whole. */
export function ActionDrawer({ action, onClose }: ActionDrawerProps) {
  return (
    <Drawer open={action !== undefined} onClose={onClose} title={<span className="mono">{action?.action}</span>}>
      {action && (
        <Facts className="p-4">
          <Fact name="Operator">{action.operator}</Fact>
          <Fact name="Of">
            <span className="wrap-anywhere">{action.target}</span>
          </Fact>
          <Fact name="Outcome">{action.kind === 'look' ? 'looked at' : <Outcome {...action} />}</Fact>
          <Fact name="Time">
            <Time at={action.at} look="clock" />
          </Fact>
          <Fact name="From">
            <span className="mono">{action.address}</span>
          </Fact>
        </Facts>
      )}
    </Drawer>
  )
}
