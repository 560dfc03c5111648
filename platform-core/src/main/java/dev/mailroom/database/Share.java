package dev.mailroom.database;

/**
 * Uses of the database that have separate connections. One of them cannot take those of
 * another. A transaction names its share in the Reactor context under this class; without
 * one it is {@link #WORK}.
 */
public enum Share {

	/** Requests, deliveries and jobs. */
	WORK,

	/** Lists and searches, whose duration depends on the amount of stored data. */
	LISTS,

	/** Notifications of the dispatcher after commits of accepted mail. */
	NOTIFICATIONS

}
