// The key to what the browser keeps: behind the # of the page's address, where no other page or file can read it.

import { toAddress } from "./bytes.js";

const BEFORE_KEY = "#key=";
const KEY = /^#key=([\w-]{43})$/;

/** The key in the part of an address from the # on; undefined if there is none. */
export const keyIn = (hash) => hash.match(KEY)?.[1];

/** A new key. */
export const drawnKey = () => toAddress(crypto.getRandomValues(new Uint8Array(32)));

/** This page's address without what is behind its #. */
export const plainAddress = () => location.href.split("#")[0];

/** Puts a key into the address of this page, in place of a link, which is opened once. */
export const showKey = (key) => history.replaceState(null, "", `${plainAddress()}${BEFORE_KEY}${key}`);
