package dev.mailroom.standalone.demo;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/**
 * An invented person with an address under a name reserved for examples (RFC 2606). Some
 * addresses are at domains for which the mailbox refuses mail.
 */
record DemoPerson(String first, String last, String email) {

	/** Number of different persons. */
	static final int COUNT = 72 * 65;

	private static final List<String> FIRST = List
		.of(("Ada Agnes Akira Amara Anders Anouk Astrid Beatriz Benedikt Björn "
				+ "Camille Carlos Chiara Clara Dara Dmitri Edith Eilidh Elif Emeka Enzo Esther Farah Felix Fiona Freya "
				+ "Giulia Greta Hana Hugo Ibrahim Ines Ingrid Isla Jakub Jean João Jonas Kaori Kofi Lars Leila Linnea "
				+ "Lucía Magnus Marit Mateo Mei Milena Nadia Niamh Noor Olga Oskar Paloma Priya Rafael Ravi Renée Rosa "
				+ "Saoirse Selma Søren Tamar Tomás Uma Viktor Wanda Yara Yuki Zoë Zuzana")
			.split(" "));

	private static final List<String> LAST = List.of(("Abbott Alvarez Andersen Bakker Banerjee Barros Becker Bianchi "
			+ "Brandt Calloway Castillo Chen Costa Dahl Delgado Dubois Eriksen Evans Farkas Ferreira Fischer Fontaine "
			+ "Fraser Gallagher Grünwald Haddad Hansen Hayashi Holm Horvat Ito Ivanova Jensen Kaya Keller Kowalska "
			+ "Laurent Lindqvist Lopez Macleod Marino Mbeki Meyer Moreau Nakamura Novak Okafor Olsen Park Pereira "
			+ "Petrov Quinn Rossi Sato Schmidt Silva Sokolov Tanaka Thorne Vargas Vogel Wilde Yilmaz Zhang Ziegler")
		.split(" "));

	private static final List<String> HOSTS = List.of("harbour.example", "letterbox.example", "northmail.example",
			"postamt.example", "correo.example", "inbox.example", "alma.example");

	/**
	 * Returns a person for each number below {@link #COUNT}, each with another address.
	 */
	static DemoPerson of(int number) {
		int first = number % FIRST.size();
		int last = (number / FIRST.size() + first) % LAST.size();
		String local = ascii(FIRST.get(first)) + "." + ascii(LAST.get(last));
		return new DemoPerson(FIRST.get(first), LAST.get(last), local + "@" + host(number));
	}

	private static String host(int number) {
		if (number % 83 == 11) {
			return "gone.example";
		}
		if (number % 181 == 40) {
			return "fullbox.example";
		}
		if (number % 241 == 90) {
			return "strict.example";
		}
		if (number % 127 == 60) {
			return "greylist.example";
		}
		return HOSTS.get(Math.floorMod(number * 31 + number / 7, HOSTS.size()));
	}

	private static String ascii(String name) {
		return Normalizer.normalize(name.replace("ø", "o"), Normalizer.Form.NFD)
			.replaceAll("\\p{M}", "")
			.toLowerCase(Locale.ROOT);
	}

	/** The address with the name, for a To header. */
	String mailbox() {
		return this.first + " " + this.last + " <" + this.email + ">";
	}

}
