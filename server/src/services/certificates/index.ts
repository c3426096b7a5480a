import { type Certificates, type CertificatesDeps, createCertificates } from './certificates.ts'

export { certificateFolder, certificatePath } from './certificates.ts'
export type { AcmeSettings } from './settings.ts'

/** The certificate that is obtained by ACME: renewed while the instance runs, told in its health and its numbers. */
export function certificatesService(deps: CertificatesDeps) {
  const certificates: Certificates = createCertificates(deps)
  return {
    start: certificates.start,
    health: certificates.health,
    gauges: [
      {
        name: 'clew_certificate_expires_at_seconds',
        help: 'When the certificate ends, in seconds from 1970.',
        read: certificates.expiresAt,
      },
    ],
  }
}
