package dev.mailroom.check;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ContentChecksTest {

	private static final String GOOD = """
			<!doctype html><html lang="en"><head><title>News</title></head><body>
			<div style="display:none">Five books about weather</div>
			<h1>News</h1><p>Dear {{first_name|reader}}, <a href="https://quillmoor.example/{{path}}">read on</a>.</p>
			<img src="https://api.example/image/abc" alt="A lighthouse">
			<p><a href="{{unsubscribe_url}}">Unsubscribe</a> <a href="mailto:desk@quillmoor.example">Write</a></p>
			</body></html>""";

	private static final String GOOD_TEXT = "Read on: https://quillmoor.example/\n{{ unsubscribe_url }}";

	@ParameterizedTest
	@EnumSource
	void goodContentPassesEachCheckOnce(ContentFinding.Check check) {
		List<ContentFinding> findings = campaign("News of {{month}}", GOOD, GOOD_TEXT);
		assertThat(findings).filteredOn((finding) -> finding.check() == check)
			.singleElement()
			.matches((finding) -> finding.level() == ContentFinding.Level.PASSED && finding.message().endsWith("."));
		assertThat(findings).extracting(ContentFinding::check).containsExactly(ContentFinding.Check.values());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', textBlock = """
			<a href="#">here</a>                              ~ ERROR   ~ The link “here” has no address.
			<a>here</a>                                       ~ ERROR   ~ The link “here” has no address.
			<a href=" "><img src="https://x.test/a" alt="a"></a> ~ ERROR ~ The link without text has no address.
			<a href="shop.html">here</a>                      ~ ERROR   ~ needs https://.
			<a href="www.x.test">here</a>                     ~ ERROR   ~ needs https://.
			<a href="javascript:alert(1)">here</a>            ~ ERROR   ~ begins with javascript:,
			<a href="https://x test/">here</a>                ~ ERROR   ~ malformed
			<a href="https:///a">here</a>                     ~ ERROR   ~ malformed
			<a href="http://localhost:3000/a">here</a>        ~ ERROR   ~ is at localhost,
			<a href="https://192.168.0.7/">here</a>           ~ ERROR   ~ is at 192.168.0.7,
			<a href="http://x.test/">here</a>                 ~ WARNING ~ http instead of https
			<a href="https://x.test/a|b?c=ü#d">here</a>       ~ PASSED  ~ 1 link has
			<a href="https://{{shop}}.x.test/">here</a>       ~ PASSED  ~ 1 link has
			<a name="top">here</a>                            ~ PASSED  ~ There are no links.
			<p>here</p>                                       ~ PASSED  ~ There are no links.
			""")
	void addressesOfLinksAreJudged(String html, ContentFinding.Level level, String message) {
		assertThat(only(ContentFinding.Check.LINKS, html)).matches((finding) -> finding.level() == level)
			.extracting(ContentFinding::message)
			.asString()
			.contains(message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', textBlock = """
			<img alt="a">                                   ~ ERROR   ~ An image has no address.
			<img alt="a" src="images/a.png">                ~ ERROR   ~ needs https://.
			<img alt="a" src="data:image/png;base64,AAAA">  ~ ERROR   ~ is inside the HTML
			<img alt="a" src="cid:logo">                    ~ ERROR   ~ is an attachment
			<img alt="a" src="http://localhost/a.png">      ~ ERROR   ~ is at localhost
			<img alt="a" src="http://x.test/a.png">         ~ WARNING ~ http instead of https
			<img alt="a" src="http://own.test/large">       ~ WARNING ~ weighs 400 kB
			<img alt="a" src="http://own.test/small">       ~ PASSED  ~ 1 image has complete addresses and weighs 2 kB.
			<img alt="a" src="{{picture}}">                 ~ PASSED  ~ 1 image has
			""")
	void addressesAndWeightOfImagesAreJudged(String html, ContentFinding.Level level, String message) {
		assertThat(only(ContentFinding.Check.IMAGES, html)).matches((finding) -> finding.level() == level)
			.extracting(ContentFinding::message)
			.asString()
			.contains(message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', textBlock = """
			<img src="https://x.test/a">                                         ~ WARNING
			<img src="https://x.test/a" alt="">                                  ~ PASSED
			<a href="https://x.test/"><img src="https://x.test/a" alt=""></a>    ~ WARNING
			<a href="https://x.test/"><img src="https://x.test/a" alt=""> To</a> ~ PASSED
			""")
	void imagesNeedAnAlternativeText(String html, ContentFinding.Level level) {
		assertThat(only(ContentFinding.Check.ALT, html).level()).isEqualTo(level);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~',
			textBlock = """
					<p style="color:#999">a</p>                                                ~ WARNING ~ #999999 on #ffffff
					<p style="color:rgb(153, 153, 153)">a</p>                                  ~ WARNING ~ contrast of 2.8; text needs 4.5.
					<p style="color:#777777;font-size:26px">a</p>                              ~ PASSED  ~ can be read
					<td bgcolor="#0f766e"><a style="color:white" href="https://x.test">a</a>   ~ PASSED  ~ can be read
					<div style="background:#123"><a href="https://x.test">a</a></div>          ~ WARNING ~ #0000ee on #112233
					<div style="background:url(a.png)"><p style="color:white">a</p></div>      ~ PASSED  ~ can be read
					<p style="color:light-dark(#fff,#000)">a</p>                               ~ PASSED  ~ can be read
					<p style="display:none;color:#fff">a</p>                                   ~ PASSED  ~ can be read
					<p style="color:#fff"> </p>                                                ~ PASSED  ~ can be read
					""")
	void theContrastOfInlineColoursIsJudged(String html, ContentFinding.Level level, String message) {
		assertThat(only(ContentFinding.Check.CONTRAST, html.startsWith("<td") ? "<table><tr>" + html : html))
			.matches((finding) -> finding.level() == level)
			.extracting(ContentFinding::message)
			.asString()
			.contains(message);
	}

	@Test
	void aDocumentInsideAnotherIsAnError() {
		assertThat(of(ContentFinding.Check.DOCUMENT, GOOD + GOOD)).extracting(ContentFinding::level)
			.containsExactly(ContentFinding.Level.ERROR, ContentFinding.Level.ERROR, ContentFinding.Level.ERROR);
		assertThat(only(ContentFinding.Check.DOCUMENT, "<!doctype html><!-- <!doctype html> <body> --><p>a").level())
			.isEqualTo(ContentFinding.Level.PASSED);
		assertThat(of(ContentFinding.Check.DOCUMENT, "<p>a<script>b</script>")).extracting(ContentFinding::level)
			.containsExactly(ContentFinding.Level.WARNING, ContentFinding.Level.WARNING);
	}

	@Test
	void theFirstTextIsThePreheader() {
		assertThat(only(ContentFinding.Check.PREHEADER, "<p>Dear reader").message()).contains("“Dear reader”");
		assertThat(only(ContentFinding.Check.PREHEADER,
				"<div style=\"display: none\">Five books&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;</div>")
			.message()).contains("“Five books”");
		assertThat(only(ContentFinding.Check.PREHEADER, GOOD).message()).contains("“Five books about weather”");
	}

	@Test
	void aCampaignNeedsALinkToUnsubscribeAndATemplateDoesNot() {
		assertThat(only(ContentFinding.Check.UNSUBSCRIBE, "<p>a").level()).isEqualTo(ContentFinding.Level.ERROR);
		assertThat(level(ContentFinding.Check.UNSUBSCRIBE, campaign("s", null, "a")))
			.isEqualTo(ContentFinding.Level.ERROR);
		assertThat(level(ContentFinding.Check.UNSUBSCRIBE, campaign("s", GOOD, "a")))
			.isEqualTo(ContentFinding.Level.WARNING);
		assertThat(level(ContentFinding.Check.UNSUBSCRIBE, campaign("s", null, "{{unsubscribe_url|}}")))
			.isEqualTo(ContentFinding.Level.PASSED);
		ContentChecks.Source template = new ContentChecks.Source(false, null, "<p>a", null, Map.of());
		assertThat(ContentChecks.of(template)).noneMatch((finding) -> finding.level() == ContentFinding.Level.ERROR);
		assertThat(level(ContentFinding.Check.SUBJECT, campaign(" ", GOOD, GOOD_TEXT)))
			.isEqualTo(ContentFinding.Level.ERROR);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', textBlock = """
			Forty books            ~ Hello        ~ PASSED
			FORTY BOOKS TODAY      ~ Hello        ~ WARNING
			NASA                   ~ Hello        ~ PASSED
			Forty books!!          ~ Hello        ~ WARNING
			Forty books            ~ Act now      ~ WARNING
			""")
	void wordsAndSignsOfSpamAreWarnings(String subject, String text, ContentFinding.Level level) {
		assertThat(level(ContentFinding.Check.SPAM, campaign(subject, null, text))).isEqualTo(level);
	}

	@Test
	void largeHtmlAndLongSubjectsAreWarnings() {
		assertThat(only(ContentFinding.Check.SIZE, "<p>" + "ü".repeat(46_000)).message()).contains("may clip");
		assertThat(only(ContentFinding.Check.SIZE, "<p>" + "ü".repeat(52_000)).message())
			.contains("clips it after 102 kB");
		assertThat(level(ContentFinding.Check.SUBJECT, campaign("s".repeat(91), GOOD, GOOD_TEXT)))
			.isEqualTo(ContentFinding.Level.WARNING);
		assertThat(level(ContentFinding.Check.TEXT, campaign("s", GOOD, " "))).isEqualTo(ContentFinding.Level.WARNING);
	}

	@Test
	void repeatedFaultsAreListedAFewTimesAndErrorsFirst() {
		String html = Stream.iterate(1, (number) -> number + 1)
			.limit(9)
			.map((number) -> "<a href=\"http://x.test/" + number + "\">a</a>")
			.collect(Collectors.joining()) + "<a href=\"#\">last</a>";
		List<ContentFinding> findings = of(ContentFinding.Check.LINKS, html);
		assertThat(findings).hasSize(6);
		assertThat(findings.getFirst().message()).isEqualTo("The link “last” has no address.");
		assertThat(findings.getLast())
			.isEqualTo(new ContentFinding(ContentFinding.Check.LINKS, ContentFinding.Level.WARNING, "And 5 more."));
	}

	@Test
	void htmlWhoseTreeWouldBeLargeIsNotParsed() {
		assertThat(of(ContentFinding.Check.DOCUMENT, "<b><p>".repeat(11_000)).getFirst().message())
			.contains("too many tags");
		assertThat(of(ContentFinding.Check.LINKS, "<b><p>".repeat(11_000))).isEmpty();
		assertThat(of(ContentFinding.Check.LINKS, "<b><i><u><p>".repeat(5_000))).hasSize(1);
	}

	private static ContentFinding only(ContentFinding.Check check, String html) {
		List<ContentFinding> findings = of(check, html);
		assertThat(findings).hasSize(1);
		return findings.getFirst();
	}

	private static List<ContentFinding> of(ContentFinding.Check check, String html) {
		return campaign("s", html, GOOD_TEXT).stream().filter((finding) -> finding.check() == check).toList();
	}

	private static ContentFinding.Level level(ContentFinding.Check check, List<ContentFinding> findings) {
		return findings.stream().filter((finding) -> finding.check() == check).findFirst().orElseThrow().level();
	}

	private static List<ContentFinding> campaign(String subject, String html, String text) {
		return ContentChecks.of(new ContentChecks.Source(true, subject, html, text,
				Map.of("http://own.test/large", 400_000, "http://own.test/small", 1_900)));
	}

}
