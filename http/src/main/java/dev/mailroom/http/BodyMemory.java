package dev.mailroom.http;

import java.time.Duration;
import java.util.List;

import dev.mailroom.Bounded;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import io.netty.handler.timeout.ReadTimeoutException;
import reactor.core.publisher.Flux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

/**
 * Memory of one instance for the bodies of requests, until their responses are complete,
 * and for content of unknown size. {@link MemoryOwner} says how much of it one owner may
 * use.
 */
@Component
public class BodyMemory implements Bounded {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	/**
	 * Bytes of a body that have to arrive in a second on average, after an initial time
	 * of the read timeout. A slower body is given up, because it occupies memory.
	 */
	private static final long MIN_BYTES_PER_SECOND = 16_000;

	private static final long NANOS = Duration.ofSeconds(1).toNanos();

	private final MemoryPool pool;

	private final long maxBytes;

	private final long readTimeout;

	BodyMemory(MemorySettings memory, ConnectionSettings connections) {
		this.pool = new MemoryPool(memory.inFlightBytes());
		this.maxBytes = memory.inFlightBytes();
		this.readTimeout = connections.readTimeout().toNanos();
	}

	@Override
	public List<Limit> limits() {
		return List.of(this.pool.limit("request_bytes"));
	}

	/**
	 * The memory of one request, none before its body arrives.
	 * @param maxBody largest body of the request
	 */
	public Hold hold(MemoryOwner owner, DataSize maxBody) {
		return new Hold(owner, maxBody);
	}

	/** The memory of one request. It is used by one thread at a time. */
	public final class Hold {

		private final MemoryOwner owner;

		private final DataSize maxBody;

		private final long begin = System.nanoTime();

		private long bytes;

		private Hold(MemoryOwner owner, DataSize maxBody) {
			this.owner = owner;
			this.maxBody = maxBody;
		}

		/**
		 * The body, whose bytes are reserved as they arrive, not when they are declared.
		 * It ends with {@code Service unavailable} if there is not enough memory, with
		 * {@code Payload too large}, or with a {@code ReadTimeoutException} if it arrives
		 * too slowly.
		 */
		public Flux<DataBuffer> counted(Flux<DataBuffer> body) {
			return body.doOnNext(this::add).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
		}

		private void add(DataBuffer buffer) {
			try {
				long size = this.bytes + buffer.readableByteCount();
				if (System.nanoTime() - this.begin > BodyMemory.this.readTimeout
						+ size * NANOS / MIN_BYTES_PER_SECOND) {
					throw ReadTimeoutException.INSTANCE;
				}
				requirePermitted(size);
				resize(size);
			}
			catch (Refused | ReadTimeoutException ex) {
				DataBufferUtils.release(buffer);
				throw ex;
			}
		}

		/**
		 * Requires that a body of this length may be sent.
		 * @throws Refused {@code Payload too large}
		 */
		public void requirePermitted(long length) {
			if (length > this.maxBody.toBytes()) {
				throw TOO_LARGE.because("The body of this request may have at most " + ((this.maxBody.toMegabytes() > 0)
						? this.maxBody.toMegabytes() + " MB" : this.maxBody.toKilobytes() + " KB"));
			}
		}

		/**
		 * Reserves an eighth of all memory for content of unknown size.
		 * @throws Refused {@code Service unavailable} if there is not enough memory
		 */
		public void expectContent() {
			resize(BodyMemory.this.maxBytes / 8);
		}

		/**
		 * Changes the size to that of the whole content.
		 * @throws Refused {@code Service unavailable} if there is not enough memory
		 */
		public void resize(long size) {
			long more = size - this.bytes;
			if (more < 0) {
				BodyMemory.this.pool.release(this.owner, -more);
			}
			else if (!BodyMemory.this.pool.reserve(this.owner, more)) {
				throw FULL
					.because("The requests in progress use all memory for request bodies; nothing of this request was "
							+ "processed, send it again shortly")
					.retryAfter(RETRY_AFTER);
			}
			this.bytes = size;
		}

		/** Returns the memory; a second call has no effect. */
		public void release() {
			BodyMemory.this.pool.release(this.owner, this.bytes);
			this.bytes = 0;
		}

	}

}
