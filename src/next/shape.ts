/** Tells values by their shape: with bundles and test environments, there may be several classes of one name. */
import type { NextRequest } from 'next/server.js'

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether this is a request as Next hands it over. */
export function isRequest(value: unknown): value is NextRequest {
  return isObject(value) && 'nextUrl' in value && 'method' in value && 'headers' in value
}

/** Whether this is a response. */
export function isResponse(value: unknown): value is Response {
  return isObject(value) && 'status' in value && 'headers' in value && 'body' in value
}
