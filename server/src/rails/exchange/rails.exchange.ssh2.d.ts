// The parts of ssh2-sftp-client that are used; it has no types of its own.
declare module 'ssh2-sftp-client' {
  type Callback<Result = void> = (error: Error | null | undefined, result: Result) => void

  /** The SFTP protocol of ssh2. */
  type Wrapper = {
    open(path: string, mode: string, done: Callback<Buffer>): void
    close(handle: Buffer, done: Callback): void
    fstat(handle: Buffer, done: Callback<{ size: number; mtime: number }>): void
    read(handle: Buffer, into: Buffer, offset: number, length: number, position: number, done: Callback<number>): void
    ext_openssh_fsync(handle: Buffer, done: Callback): void
  }

  // biome-ignore lint/style/noDefaultExport: the package has one.
  export default class SftpClient {
    constructor(name?: string, callbacks?: { error?(error: Error): void; end?(): void; close?(): void })
    sftp: Wrapper
    connect(options: {
      host: string
      port: number
      username: string
      privateKey: Buffer
      hostVerifier(key: Buffer): boolean
      readyTimeout: number
      keepaliveInterval: number
    }): Promise<unknown>
    list(path: string): Promise<{ type: string; name: string; size: number; modifyTime: number }[]>
    exists(path: string): Promise<false | string>
    put(bytes: Buffer, path: string, options: { writeStreamOptions: { flags: string; mode: number } }): Promise<string>
    mkdir(path: string, recursive: boolean): Promise<string>
    rename(from: string, to: string): Promise<string>
    delete(path: string, notFoundOK?: boolean): Promise<string>
    end(): Promise<unknown>
  }
}
