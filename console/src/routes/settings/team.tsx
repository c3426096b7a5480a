import { createFileRoute } from '@tanstack/react-router'
import { TeamScreen } from '../../screens/team/team-screen.tsx'

export const Route = createFileRoute('/settings/team')({ component: TeamScreen })
