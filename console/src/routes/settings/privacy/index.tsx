import { createFileRoute } from '@tanstack/react-router'
import { PrivacyScreen } from '../../../screens/privacy/privacy-screen.tsx'

export const Route = createFileRoute('/settings/privacy/')({ component: PrivacyScreen })
