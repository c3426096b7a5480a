export { type ExportOptions, exportProject } from './export/export-project.ts'
export {
  type Administrator,
  type ExportedKind,
  type ExportFormat,
  exportRows,
} from './export/export-rows.ts'
export type { ExportManifest } from './export/manifest.ts'
export { type FileSource, openExportSource, openFolderSource, openS3Source } from './files/file-source.ts'
export type { FileMove } from './files/move-files.ts'
export { openStorageApi, pageSize, type StorageApi, StorageRefusal } from './files/storage-api.ts'
export { writeDownload } from './files/write-download.ts'
export { type ImportOptions, importDatabase } from './import/import-database.ts'
export { type ImportReport, renderReport } from './import/report.ts'
export { importPosthog } from './posthog/import-posthog.ts'
export { type PosthogReport, renderPosthogReport } from './posthog/report.ts'
