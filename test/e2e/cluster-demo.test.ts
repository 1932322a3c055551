/** The demo with several processes, as a developer starts it. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { start } from '../../tools/run.mjs'
import { findNginx, findPostgres, findRedis } from '../services.ts'

const hasServices = (await findNginx()) && (await findPostgres()) && (await findRedis())
const DEMO = ['tools/cluster.mjs', '--no-build']

describe('npm run demo:cluster', () => {
  test('names the packages to install without nginx', async () => {
    const demo = start(process.execPath, DEMO, { env: { NGINX_PATH: '/nowhere/nginx' } })
    expect(await demo.gone).toBe(1)
    expect(demo.output()).toMatch(
      /^nginx is not installed: apt-get install nginx openssl, or set NGINX_PATH\.\n/,
    )
  })

  test.skipIf(!hasServices)(
    'stays available, and restarts a server that was killed',
    async () => {
      const demo = start(process.execPath, DEMO)
      onTestFinished(() => demo.stop())
      await vi.waitFor(() => expect(demo.output()).toContain('Ctrl-C'), { timeout: 60_000 })
      const site = /The site is at +(\S+)/.exec(demo.output())?.[1] ?? ''
      const pid = Number(/\(process (\d+)\)/.exec(demo.output())?.[1])
      process.kill(pid, 'SIGKILL')
      for (let left = 20; left > 0; left--) expect((await fetch(site)).status).toBe(200)
      await vi.waitFor(() => expect(demo.output()).toMatch(/runs again: process \d+\./), {
        timeout: 60_000,
      })
      demo.signal('SIGTERM')
      expect(await demo.gone).toBe(0)
    },
    120_000,
  )
})
