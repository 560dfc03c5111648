package dev.mailroom.mail.queue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Bounded;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Memory for the contents of mails that passed the fence, in bytes as stored. Of several
 * accounts with large mails each may use a quarter and all of them three quarters; the
 * rest is reserved for accounts that use little. A mail larger than such a share is
 * admitted as the only one of its account, or of the worker.
 */
@Component
class ContentBudget implements Bounded {

	/**
	 * Part of the heap: besides its content, a mail takes its composed message, and that
	 * as it is sent.
	 */
	private static final int HEAP_DIVISOR = 6;

	/** Part of the budget up to which an account uses little. */
	private static final int LITTLE_DIVISOR = 32;

	private final long maxBytes;

	private final Map<UUID, Long> accounts = new HashMap<>();

	private long used;

	@Autowired
	ContentBudget() {
		this(Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
	}

	/**
	 * Creates a budget.
	 * @param maxBytes limit on the contents of all accounts
	 */
	ContentBudget(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/** Begins a reservation without any mail. */
	Reservation reservation() {
		return new Reservation();
	}

	/** Bytes reserved at present. */
	synchronized long used() {
		return this.used;
	}

	@Override
	public List<Limit> limits() {
		return List.of(new Limit("content_bytes", this::used, this.maxBytes));
	}

	/** Replaces a part of what an account has reserved, if there is room. */
	private synchronized boolean replace(UUID account, long before, long bytes) {
		long own = this.accounts.getOrDefault(account, 0L) - before;
		long total = this.used - before;
		if (bytes > before && !hasRoom(own, total, bytes)) {
			return false;
		}
		this.used = total + bytes;
		if (own + bytes == 0) {
			this.accounts.remove(account);
		}
		else {
			this.accounts.put(account, own + bytes);
		}
		return true;
	}

	private boolean hasRoom(long own, long total, long bytes) {
		long open = (own + bytes <= this.maxBytes / LITTLE_DIVISOR) ? this.maxBytes : this.maxBytes - this.maxBytes / 4;
		return total == 0 || (total + bytes <= open && (own == 0 || own + bytes <= this.maxBytes / 4));
	}

	/**
	 * The mails that one caller of the fence has in hand. Closing it frees the memory.
	 */
	final class Reservation {

		private final Map<UUID, Held> mails = new HashMap<>();

		private boolean closed;

		private Reservation() {
		}

		/**
		 * Reserves memory for a mail, or changes its size.
		 * @return false if there is no room, or if the reservation is closed
		 */
		synchronized boolean take(UUID account, UUID email, long bytes) {
			Held before = this.mails.get(email);
			if (this.closed || !replace(account, (before != null) ? before.bytes() : 0, bytes)) {
				return false;
			}
			this.mails.put(email, new Held(account, bytes));
			return true;
		}

		/** Whether the mail is reserved already. */
		synchronized boolean has(UUID email) {
			return this.mails.containsKey(email);
		}

		/** Frees all of it; further mails find no room. */
		synchronized void close() {
			this.closed = true;
			this.mails.values().forEach((mail) -> replace(mail.account(), mail.bytes(), 0));
			this.mails.clear();
		}

	}

	private record Held(UUID account, long bytes) {
	}

}
