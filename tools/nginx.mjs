// nginx with a configuration of its own, on free ports of this machine.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNginx } from './services.mjs'
import { freePort } from './ports.mjs'
import { waitForServer, run, start } from './run.mjs'
import { serverFolder } from './server-user.mjs'

const HOST = '127.0.0.1'

/** A self-signed certificate. */
export async function makeCertificate(folder) {
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
  const names = ['-subj', '/CN=app.test', '-days', '2', '-nodes']
  const out = ['-keyout', files.key, '-out', files.certificate]
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    ...names,
    ...out,
  ])
  return files
}

function serverBlock({ port, to, tls, headers }, { key, certificate }) {
  const secure = tls ? `ssl_certificate ${certificate}; ssl_certificate_key ${key};` : ''
  const set = Object.entries(headers).map(([name, value]) => `proxy_set_header ${name} "${value}";`)
  return `server {
    listen ${HOST}:${port}${tls ? ' ssl' : ''};
    ${secure}
    location / { proxy_pass http://${HOST}:${to}; ${set.join(' ')} }
  }`
}

function configuration(folder, blocks) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    # As root, workers need another user; otherwise they run as the user that starts nginx.
    ${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''}
    worker_processes 1;
    pid ${join(folder, 'pid')};
    error_log stderr warn;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
      ${blocks.join('\n')}
    }`
}

/** Starts it with the configuration that `write` returns for a folder; resolves when the port responds. */
async function startWith(port, write) {
  const folder = serverFolder('nginx')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, await write(folder)))
  const program = start(await findNginx(), ['-c', file, '-p', folder, '-e', 'stderr'])
  const stop = async () => {
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitForServer(`http://${HOST}:${port}`, program)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop, gone: program.gone, output: program.output }
}

/**
 * Starts it with servers that pass everything on to the port `to`, with these headers; `tls`: by https.
 *
 * @returns the ports in the order of the servers, and `stop`
 */
export async function startNginx(servers) {
  const ports = []
  for (const _ of servers) ports.push(await freePort())
  const program = await startWith(ports[0], async (folder) => {
    const certificate = await makeCertificate(folder)
    return servers.map((server, index) =>
      serverBlock({ ...server, port: ports[index] }, certificate),
    )
  })
  return { ports, ...program }
}

/**
 * Starts it with the configuration file of a site, on other ports.
 *
 * @param site - the file
 * @param ports - the ports in the file, first the one it listens on, each with its replacement
 */
export function startSite(site, ports) {
  const [[, port]] = ports
  return startWith(port, () => {
    const text = readFileSync(site, 'utf8')
    return [text.replace(/(?<=127\.0\.0\.1:)\d+/g, (each) => ports.get(Number(each)) ?? each)]
  })
}
