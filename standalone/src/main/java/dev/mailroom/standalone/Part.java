package dev.mailroom.standalone;

/**
 * Something that runs: started once, closed once. A part is closed even where its start
 * failed or never came to an end.
 */
interface Part extends AutoCloseable {

	/**
	 * Returns once the part can be used.
	 * @throws StartFailure where a person can mend what is in the way
	 */
	void start() throws Exception;

	@Override
	void close() throws Exception;

}
