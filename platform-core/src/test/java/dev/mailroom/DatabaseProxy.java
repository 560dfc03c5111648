package dev.mailroom;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in front of the test database, or of another server. It can stop forwarding
 * while its connections stay open, as a database on a halted machine or behind a broken
 * network does, and it can cut a connection at a statement.
 */
public final class DatabaseProxy implements AutoCloseable {

	private static final int BUFFER_BYTES = 1 << 16;

	private final URI target;

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition thawed = this.lock.newCondition();

	private final AtomicReference<@Nullable Cut> cut = new AtomicReference<>();

	private boolean frozen;

	private volatile boolean down;

	private DatabaseProxy(ServerSocket server, URI target) {
		this.server = server;
		this.target = target;
	}

	public static DatabaseProxy start() {
		return start(URI.create(TestDatabase.URL));
	}

	/** Starts a proxy in front of the server at the host and port of the URI. */
	public static DatabaseProxy start(URI target) {
		try {
			DatabaseProxy proxy = new DatabaseProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
			Thread.startVirtualThread(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The address of the proxy in the form of {@code MAILROOM_DB_URL}. */
	public String url() {
		return "postgresql://localhost:" + port() + this.target.getPath();
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/** Stops forwarding; nothing is closed. */
	public void freeze() {
		setFrozen(true);
	}

	public void thaw() {
		setFrozen(false);
	}

	/**
	 * Closes the next connection on which the client sends the text.
	 * @param forward whether the server receives the text first; its reply is discarded
	 */
	public void cutAt(String text, boolean forward) {
		this.cut.set(new Cut(text, forward));
	}

	/** Whether the cut has happened. */
	public boolean hasCut() {
		return this.cut.get() == null;
	}

	/** Whether new connections are closed at once. */
	public void setDown(boolean down) {
		this.down = down;
		cutAll();
	}

	/** Closes all connections. */
	public void cutAll() {
		this.sockets.forEach(DatabaseProxy::close);
		this.sockets.clear();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		thaw();
		cutAll();
	}

	private void setFrozen(boolean frozen) {
		this.lock.lock();
		try {
			this.frozen = frozen;
			this.thawed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				if (this.down) {
					client.close();
					continue;
				}
				Socket database = new Socket(this.target.getHost(), this.target.getPort());
				client.setTcpNoDelay(true);
				database.setTcpNoDelay(true);
				this.sockets.add(client);
				this.sockets.add(database);
				Link link = new Link(client, database);
				Thread.startVirtualThread(() -> link.pump(client, database, true));
				Thread.startVirtualThread(() -> link.pump(database, client, false));
			}
		}
		catch (IOException _) {
			// The proxy was closed.
		}
	}

	private void awaitThaw() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.frozen) {
				this.thawed.await();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException _) {
			// Closed already.
		}
	}

	/**
	 * A connection to be closed.
	 *
	 * @param forward whether the server receives the text first
	 */
	private record Cut(String text, boolean forward) {
	}

	/** A client's connection with that to the database. */
	private final class Link {

		private final Socket client;

		private final Socket database;

		private volatile boolean cutting;

		Link(Socket client, Socket database) {
			this.client = client;
			this.database = database;
		}

		void pump(Socket from, Socket to, boolean request) {
			byte[] bytes = new byte[BUFFER_BYTES];
			try (from; to) {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
					awaitThaw();
					if (this.cutting || (request && isCut(new String(bytes, 0, count, StandardCharsets.ISO_8859_1)))) {
						return;
					}
					out.write(bytes, 0, count);
				}
			}
			catch (IOException _) {
				// One side closed the connection: the other follows.
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
			finally {
				close(this.client);
				close(this.database);
			}
		}

		/** Whether the connection ends before this text is forwarded. */
		private boolean isCut(String text) {
			Cut planned = DatabaseProxy.this.cut.get();
			if (planned == null || !text.contains(planned.text())
					|| !DatabaseProxy.this.cut.compareAndSet(planned, null)) {
				return false;
			}
			// If it is forwarded, the server's reply ends the connection.
			this.cutting = planned.forward();
			return !planned.forward();
		}

	}

}
