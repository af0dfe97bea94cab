package dev.caisson.sandbox;

/// Programs that use UNIX sockets, mostly without saying so. Each prints `works`.
enum SocketPrograms {
    POOL(
            Language.PYTHON,
            false,
            """
            import multiprocessing
            if __name__ == '__main__':
                with multiprocessing.Pool(2) as pool:
                    print('works' if pool.map(abs, [-1, -2]) == [1, 2] else 'wrong')
            """),
    PROCESS_AND_QUEUE(
            Language.PYTHON,
            false,
            """
            import multiprocessing
            if __name__ == '__main__':
                queue = multiprocessing.Queue()
                child = multiprocessing.Process(target=queue.put, args=('works',))
                child.start(); print(queue.get()); child.join()
            """),
    PIPE_WITH_DESCRIPTORS(
            Language.PYTHON,
            false,
            """
            import multiprocessing, socket
            from multiprocessing import reduction
            left, right = socket.socketpair()
            with open('/workspace/file', 'w+') as file:
                reduction.sendfds(left, [file.fileno()])
            print('works' if reduction.recvfds(right, 1) else 'wrong')
            """),
    MANAGER(
            Language.PYTHON,
            true,
            """
            import multiprocessing
            if __name__ == '__main__':
                with multiprocessing.Manager() as manager:
                    shared = manager.dict(a='works'); print(shared['a'])
            """),
    FORKSERVER(
            Language.PYTHON,
            true,
            """
            import multiprocessing
            if __name__ == '__main__':
                context = multiprocessing.get_context('forkserver')
                with context.Pool(1) as pool:
                    print('works' if pool.map(abs, [-1]) == [1] else 'wrong')
            """),
    SPAWN(
            Language.PYTHON,
            false,
            """
            import multiprocessing
            if __name__ == '__main__':
                context = multiprocessing.get_context('spawn')
                with context.Pool(1) as pool:
                    print('works' if pool.map(abs, [-1]) == [1] else 'wrong')
            """),
    PROCESS_POOL_EXECUTOR(
            Language.PYTHON,
            false,
            """
            from concurrent.futures import ProcessPoolExecutor
            if __name__ == '__main__':
                with ProcessPoolExecutor(2) as pool:
                    print('works' if list(pool.map(abs, [-1, -2])) == [1, 2] else 'wrong')
            """),
    ASYNCIO_SUBPROCESS(
            Language.PYTHON,
            false,
            """
            import asyncio, subprocess
            async def main():
                child = await asyncio.create_subprocess_exec('cat', stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                print((await child.communicate(b'works'))[0].decode())
            asyncio.run(main())
            """),
    ASYNCIO_UNIX_STREAMS(
            Language.PYTHON,
            true,
            """
            import asyncio
            async def serve(reader, writer):
                writer.write(await reader.readline()); writer.close()
            async def main():
                await asyncio.start_unix_server(serve, '/tmp/echo')
                reader, writer = await asyncio.open_unix_connection('/tmp/echo')
                writer.write(b'works\\n'); print((await reader.readline()).decode(), end='')
            asyncio.run(main())
            """),
    EXEC_AND_SPAWN(
            Language.NODE,
            false,
            """
            const { execSync, spawn, exec } = require('child_process')
            if (String(execSync('echo x')) !== 'x\\n') throw 1
            exec('echo y', (_, y) => {
              const cat = spawn('cat')
              cat.stdout.on('data', data => console.log(y === 'y\\n' ? String(data) : 'wrong'))
              cat.stdin.end('works')
            })
            """),
    FORK_WITH_MESSAGES(
            Language.NODE,
            false,
            """
            const fs = require('fs')
            fs.writeFileSync('/workspace/child.js', "process.on('message', m => { process.send(m); process.disconnect() })")
            const child = require('child_process').fork('/workspace/child.js')
            child.on('message', message => console.log(message))
            child.send('works')
            """),
    WORKER_THREADS(
            Language.NODE,
            false,
            """
            const { Worker } = require('worker_threads')
            new Worker("require('worker_threads').parentPort.postMessage('works')", { eval: true }).on('message', m => console.log(m))
            """),
    CLUSTER(
            Language.NODE,
            false,
            """
            const fs = require('fs')
            fs.writeFileSync('/workspace/worker.js', "require('net').createServer(s => s.end('works')).listen(0, '127.0.0.1')")
            const cluster = require('cluster')
            cluster.setupPrimary({ exec: '/workspace/worker.js' })
            const worker = cluster.fork()
            cluster.on('listening', (_, address) => require('net').connect(address.port, '127.0.0.1').on('data', data => {
              console.log(String(data)); worker.kill()
            }))
            """),
    SERVER_ON_A_SOCKET(
            Language.NODE,
            true,
            """
            const net = require('net')
            const server = net.createServer(s => s.end('works')).listen('/tmp/door', () =>
              net.connect('/tmp/door').on('data', data => { console.log(String(data)); server.close() }))
            """),
    PIPELINE(Language.BASH, false, "set -o pipefail; echo skrow | rev | tee >(cat > /dev/null)"),
    PROCESS_SUBSTITUTION(
            Language.BASH, false, "diff <(echo a) <(echo a) && coproc cat && echo works");

    private final Language language;
    private final boolean needsNames;
    private final String code;

    /// @param needsNames whether it needs a socket that has a name
    SocketPrograms(Language language, boolean needsNames, String code) {
        this.language = language;
        this.needsNames = needsNames;
        this.code = code;
    }

    Language language() {
        return language;
    }

    boolean needsNames() {
        return needsNames;
    }

    String code() {
        return code;
    }
}
