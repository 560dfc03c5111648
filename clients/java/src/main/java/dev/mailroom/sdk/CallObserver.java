package dev.mailroom.sdk;

import java.util.function.Supplier;

/** Surrounds the calls of a client, to measure or to trace them. */
public interface CallObserver {

	/**
	 * Makes a call with all of its attempts.
	 * @param operation the operation, such as {@code emails.send}
	 * @param call throws a {@code MailroomException} if the call fails
	 * @return the result of the call
	 */
	<T> T observe(String operation, Supplier<T> call);

}
