package dev.mailroom.admin.graphql;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.http.ArrivalRate;
import dev.mailroom.http.MemoryPool;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.stereotype.Component;

/**
 * Memory of one instance for the bodies of requests and for previews, of which an account
 * may use half.
 */
@Component
public class BodyMemory {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private final MemoryPool pool;

	private final long maxBytes;

	private final Duration readTimeout;

	BodyMemory(@Value("${mailroom.in-flight-bytes}") long maxBytes,
			@Value("${mailroom.http.read-timeout}") Duration readTimeout) {
		this.readTimeout = readTimeout;
		this.pool = new MemoryPool(maxBytes);
		this.maxBytes = maxBytes;
	}

	/** The memory of one request, none at first. */
	public Hold hold(UUID owner) {
		return new Hold(owner);
	}

	/** The memory of one request. It is used by one thread at a time. */
	public final class Hold {

		private final UUID owner;

		private final ArrivalRate rate = ArrivalRate.from(BodyMemory.this.readTimeout);

		private long bytes;

		private Hold(UUID owner) {
			this.owner = owner;
		}

		/**
		 * Adds the bytes of a buffer of a body, which is released if they are refused.
		 * @throws dev.mailroom.Refused {@code Service unavailable} if there is not enough
		 * memory
		 * @throws io.netty.handler.timeout.ReadTimeoutException if the body arrives too
		 * slowly
		 */
		public void add(DataBuffer buffer) {
			try {
				this.rate.count(buffer.readableByteCount());
				resize(this.bytes + buffer.readableByteCount());
			}
			catch (RuntimeException ex) {
				DataBufferUtils.release(buffer);
				throw ex;
			}
		}

		/**
		 * Reserves an eighth of all memory for content of unknown size.
		 * @throws dev.mailroom.Refused {@code Service unavailable} if there is not enough
		 * memory
		 */
		public void expectContent() {
			resize(BodyMemory.this.maxBytes / 8);
		}

		/**
		 * Changes the size to that of the whole content.
		 * @throws dev.mailroom.Refused {@code Service unavailable} if there is not enough
		 * memory
		 */
		public void resize(long size) {
			long more = size - this.bytes;
			if (more < 0) {
				BodyMemory.this.pool.release(this.owner, -more);
			}
			else if (!BodyMemory.this.pool.reserve(this.owner, more)) {
				throw FULL.because("The requests in progress use all memory for bodies; send it again shortly")
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
