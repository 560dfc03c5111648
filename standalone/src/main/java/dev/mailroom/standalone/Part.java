package dev.mailroom.standalone;

/**
 * A component of the standalone, started once and closed once. It is closed even if its
 * start failed or did not finish.
 */
interface Part extends AutoCloseable {

	/**
	 * Starts the part and returns once it can be used.
	 * @throws StartFailure if the user can correct the cause
	 */
	void start() throws Exception;

	@Override
	void close() throws Exception;

}
