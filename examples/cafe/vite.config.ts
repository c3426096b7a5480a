import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '^/(rest|auth|storage|ingest)/': 'http://127.0.0.1:54321' } },
})
